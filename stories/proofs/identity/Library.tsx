import { AsyncBoundary, useSuspense } from '@data-client/react';
import type { StoryContext } from '@storybook/react-vite';
import { useState } from 'react';
import { hookifyResource, resource, RestEndpoint } from '../../../src/index.js';
import { Article } from '../../support/articles.js';
import { CountedPage } from '../../support/CountedPage.js';
import { Rename } from '../../support/Rename.js';
import { createCounter, RenderCounter } from '../../support/RenderCounter.js';
import type { MechanismApp } from '../../support/setupAppsByMechanism.js';
import { ownApi } from '../../support/setupCookieApp.js';

/** The requests that were aborted while they were under way. */
export const calledOff = createCounter();

/** Counts the requests that are aborted while they are under way. */
class CountedEndpoint extends RestEndpoint {
  override fetchResponse(url: RequestInfo, init: RequestInit) {
    init.signal?.addEventListener('abort', () => calledOff.add(), { once: true });
    return super.fetchResponse(url, init);
  }
}

const Articles = hookifyResource(
  resource({
    urlPrefix: ownApi,
    path: '/article/:id',
    schema: Article,
    paginationField: 'page',
    Endpoint: CountedEndpoint,
  }),
);

export const SHELVES = ['a', 'b', 'c', 'd', 'e'];

/** One list of five, each with its own key in the store. */
function Shelf({ name }: { name: string }) {
  const list = useSuspense(Articles.useGetList(), { shelf: name });
  return <p>{`${name}: ${list.map(article => article.title).join(', ')}`}</p>;
}

/** Five lists. Once they are open, they show the articles of the signed-in user. */
export function Library({ app, journal }: { app: MechanismApp; journal: StoryContext['journal'] }) {
  const [isShown, show] = useState(false);
  return (
    <>
      <RenderCounter label="Called off" counter={calledOff} />
      <button type="button" onClick={() => show(true)}>
        Show the shelves
      </button>
      <section aria-label="Shelves">
        <CountedPage journal={journal} app={app}>
          <Rename articles={Articles} ids={['1']}>
            Rename Ada’s
          </Rename>
          {isShown &&
            SHELVES.map(name => (
              <AsyncBoundary key={name} fallback={<p>Fetching…</p>}>
                <Shelf name={name} />
              </AsyncBoundary>
            ))}
        </CountedPage>
      </section>
    </>
  );
}
