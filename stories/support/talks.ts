// Talks at a conference: a record with each kind of field. One field is inside an object.
import { Entity, hookifyResource, resource, RestEndpoint } from '../../src/index.js';
import { resourceHandlers, type MockAuth, type ResourceHandlersOptions } from '../../src/testing/index.js';
import { ownApi } from './setupCookieApp.js';

class Talk extends Entity {
  id = '';
  title = '';
  abstract = '';
  website = '';
  seats: number | null = null;
  day: string | null = null;
  starts: string | null = null;
  doorsOpenAt: string | null = null;
  room: number | null = null;
  level: string | null = null;
  isRecorded = false;
  slides = '';
  conference = '';
  speaker = { name: '', email: '' };
  // Only where a talk has them.
  declare readonly tags?: readonly string[];
  declare readonly tracks?: readonly number[];
}

export const talkRow = {
  id: '1',
  title: 'On moths',
  abstract: 'Tape them into the log.',
  website: 'https://example.com/moths',
  seats: 40,
  day: '2026-11-22',
  starts: '14:30',
  doorsOpenAt: '2026-11-22T13:00:00.000Z',
  room: 2,
  level: 'beginner',
  isRecorded: true,
  slides: '/files/moths.pdf',
  conference: 'compilers',
  speaker: { name: 'Grace Hopper', email: 'grace@example.com' },
};

const talkResource = resource({ urlPrefix: ownApi, path: '/talk/:id', schema: Talk });

export const Talks = hookifyResource({
  ...talkResource,
  changePassword: new RestEndpoint({
    urlPrefix: ownApi,
    path: '/password',
    method: 'POST',
    body: {} as { current: string; next: string },
    process: (value): { changedAt: string } => value,
  }),
});

/** A server with one talk. */
export const talkHandlers = (auth: MockAuth, options: ResourceHandlersOptions<typeof talkRow> = {}) =>
  resourceHandlers(talkResource, [talkRow], { auth, ...options });
