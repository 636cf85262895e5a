import { vi } from 'vitest';
import type { Mechanism } from '../../../src/session/mechanism.js';
import type { KitModules } from './kitModules.js';

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

/** From now on, sessions are made with a changed mechanism. */
export function breakMechanism(breakIt: (mechanism: Mechanism<any, any>) => Partial<Mechanism<any, any>>) {
  breakModule('session/createSessionCore', ({ createSessionCore }) => ({
    createSessionCore: (mechanism, options) => {
      const changed = Object.defineProperties({}, Object.getOwnPropertyDescriptors(mechanism)) as typeof mechanism;
      return createSessionCore(Object.assign(changed, breakIt(mechanism)), options);
    },
  }));
}
