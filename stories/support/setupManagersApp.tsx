import { createNotes } from './createNotes.js';
import { managerRecipes } from './managerRecipes.js';
import { setupFeedManagers } from './setupFeedManagers.js';
import { setupWidgetApp } from './setupWidgetApp.js';

/** The app of the stories about managers: any mechanism, a feed that pushes records, and notes that the managers write. */
export function setupManagersApp() {
  const app = setupWidgetApp();
  const { recipes: feedRecipes, ...fed } = setupFeedManagers();
  const notes = createNotes();

  return {
    ...app,
    ...fed,
    notes,
    recipes: { ...managerRecipes(notes.add), ...feedRecipes },
    start:
      (personId?: string): ReturnType<typeof app.start> =>
      context => {
        if (context.auth.isRerender) return;
        fed.feed.reset();
        notes.reset();
        return app.start(personId)(context);
      },
  };
}
