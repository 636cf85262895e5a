import { Entity, hookifyResource, resource } from 'data-client-auth';
import { eventStream, liveManager } from 'data-client-auth/live';
import { managers } from 'data-client-auth/managers';

class Comment extends Entity {
  static override readonly key = 'Comment';
  id = '';
  issue = '';
  author = '';
  text = '';
}

const CommentResource = resource({ path: '/api/issues/:issue/comments/:id', schema: Comment });
export const Comments = hookifyResource(CommentResource);

/** Reads the comments on the screen again when the server tells of a new one. */
export const live = managers(({ session }) => [
  liveManager(session, {
    open: () => eventStream(signal => session.fetch('/api/live', { signal })),
    receive: (_event, controller) => void controller.expireAll(CommentResource.getList),
  }),
]);
