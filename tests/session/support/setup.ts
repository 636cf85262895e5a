import { EventEmitter } from 'node:events';
import { afterEach, vi } from 'vitest';

const unhandled: unknown[] = [];
process.on('unhandledRejection', error => unhandled.push(error));

afterEach(async () => {
  vi.unstubAllGlobals();
  await new Promise(resolve => setImmediate(resolve));
  const caught = unhandled.splice(0);
  if (caught.length > 0) throw new Error('A promise was rejected and nobody listened.', { cause: caught[0] });
});

// Node warns of more than ten listeners on one signal; here hundreds of requests share an epoch on purpose.
EventEmitter.defaultMaxListeners = 1_000;
