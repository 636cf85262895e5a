import { useState } from 'react';
import { ResourceDetail } from '../../src/entries/widgets.js';
import type { ArticleHooks } from './ArticlesDemo.js';

interface ManyDetailsProps {
  articles: ArticleHooks;
  ids: readonly string[];
  /** The text of the button. */
  children: string;
}

/** One widget for each article; a press on the button mounts all of them at once. */
export function ManyDetails({ articles, ids, children }: ManyDetailsProps) {
  const [isShown, show] = useState(false);
  if (!isShown) {
    return (
      <button type="button" onClick={() => show(true)}>
        {children}
      </button>
    );
  }
  return ids.map(id => (
    <ResourceDetail key={id} resource={articles} params={{ id }} renderItem={article => article.title} />
  ));
}
