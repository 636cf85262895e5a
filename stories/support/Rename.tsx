import { useController } from '@data-client/react';
import type { ArticleHooks } from './ArticlesDemo.js';
import { useOutcomeLog } from './OutcomeLog.js';

interface RenameProps {
  articles: ArticleHooks;
  ids: readonly string[];
  children: string;
}

/** Renames articles at once, and logs the outcome of each. */
export function Rename({ articles, ids, children }: RenameProps) {
  const controller = useController();
  const partialUpdate = articles.usePartialUpdate();
  const tell = useOutcomeLog();
  const rename = (id: string) =>
    controller.fetch(partialUpdate, { id }, { title: `Renamed ${id}` }).then(
      () => tell(`Renamed ${id}`),
      (error: Error) => tell(error.message),
    );
  return (
    <button type="button" onClick={() => void Promise.all(ids.map(rename))}>
      {children}
    </button>
  );
}

/** Deletes one article, and logs the outcome. */
export function Delete({ articles, id, children }: { articles: ArticleHooks; id: string; children: string }) {
  const controller = useController();
  const remove = articles.useDelete();
  const tell = useOutcomeLog();
  const act = () =>
    controller.fetch(remove, { id }).then(
      () => tell(`Deleted ${id}`),
      (error: Error) => tell(error.message),
    );
  return (
    <button type="button" onClick={() => void act()}>
      {children}
    </button>
  );
}
