import { RestEndpoint } from '../../../src/index.js';
import type { Screenful } from './createApp.js';

/** Makes every kind of call that a screen offers; resolves with the error's name of each, or `answered`, or `pending` in the next task. */
export async function callScreen({
  controller,
  get,
  getList,
  partialUpdate,
}: Screenful): Promise<Record<string, string>> {
  const written = { title: 'Written by an old screen' };
  const plain = new RestEndpoint({ path: '/article/plain' });
  const calls: Record<string, () => unknown> = {
    get: () => get({ id: 'old' }),
    extend: () => get.extend({ dataExpiryLength: 5 })({ id: 'old' }),
    push: () => getList.push(written),
    getPage: () => getList.getPage({ page: 2 }),
    change: () => partialUpdate({ id: 'old' }, written),
    'fetch get': () => controller.fetch(get, { id: 'old' }),
    'fetch push': () => controller.fetch(getList.push, written),
    'fetch getPage': () => controller.fetch(getList.getPage, { page: 2 }),
    'fetch change': () => controller.fetch(partialUpdate, { id: 'old' }, written),
    'fetch without a session': () => controller.fetch(plain),
    fetchIfStale: () => controller.fetchIfStale(get, { id: 'stale' }),
  };
  const became: Record<string, string> = {};
  for (const [name, call] of Object.entries(calls)) {
    became[name] = 'pending';
    Promise.resolve(call()).then(
      () => (became[name] = 'answered'),
      (error: Error) => (became[name] = `${error.name}: ${error.message}`),
    );
  }
  void controller.subscribe(get.extend({ pollFrequency: 1 }), { id: 'polled' });
  await new Promise(resolve => setTimeout(resolve));
  return became;
}
