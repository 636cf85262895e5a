import { vi } from 'vitest';
import type * as BoundSession from '../../../src/endpoints/boundSession.js';
import type * as Storage from '../../../src/mechanisms/storage.js';
import type * as CookieTabGate from '../../../src/session/tabGate.js';
import type * as Gate from '../../../src/session/gate.js';
import type * as LoginOutcome from '../../../src/session/loginOutcome.js';
import type * as Outside from '../../../src/session/outside.js';
import type * as Page from '../../../src/session/page.js';
import type * as Record from '../../../src/session/record.js';
import type * as Refresh from '../../../src/session/refresh.js';
import type * as Request from '../../../src/session/request.js';
import type * as State from '../../../src/session/state.js';
import type * as Store from '../../../src/session/store.js';
import type * as Turn from '../../../src/session/turn.js';

/** The modules of the kit that a test may break, by their paths in src. */
interface KitModules {
  'endpoints/boundSession': typeof BoundSession;
  'mechanisms/storage': typeof Storage;
  'session/tabGate': typeof CookieTabGate;
  'session/gate': typeof Gate;
  'session/loginOutcome': typeof LoginOutcome;
  'session/outside': typeof Outside;
  'session/page': typeof Page;
  'session/record': typeof Record;
  'session/refresh': typeof Refresh;
  'session/request': typeof Request;
  'session/state': typeof State;
  'session/store': typeof Store;
  'session/turn': typeof Turn;
}

const broken = new Set<string>();

/** From now on, the kit is loaded as it is. */
export function mendModules() {
  for (const path of broken) vi.doUnmock(path);
  broken.clear();
}

/** From now on, the kit is loaded with this module changed. */
export function breakModule<Name extends keyof KitModules>(
  name: Name,
  breakIt: (sound: KitModules[Name]) => Partial<KitModules[Name]>,
) {
  const path = `../../../src/${name}.js`;
  broken.add(path);
  vi.doMock(path, async original => {
    const sound = await original<KitModules[Name]>();
    return { ...sound, ...breakIt(sound) };
  });
}

/** The same part of a session with other members. The getters of the others stay getters. */
export function changed<Part extends object>(sound: Part, changes: Partial<Part>): Part {
  return Object.create(sound, Object.getOwnPropertyDescriptors(changes)) as Part;
}
