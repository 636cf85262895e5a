import type { Article } from './articles.js';

interface ArticleLineProps {
  article: Article;
  update: (body: Partial<Article>) => Promise<unknown>;
  partialUpdate: (body: Partial<Article>) => Promise<unknown>;
  remove: () => Promise<unknown>;
}

/** An article in the stories of the widgets: its title, and a button for each action. */
export function ArticleLine({ article, update, partialUpdate, remove }: ArticleLineProps) {
  const { id, title, author } = article;
  return (
    <>
      <span>{title}</span>{' '}
      <button type="button" onClick={() => void partialUpdate({ title: `${title}!` })}>
        Revise {title}
      </button>{' '}
      <button
        type="button"
        onClick={() => void update({ id, title: `${title}, again`, content: 'Rewritten.', author })}
      >
        Rewrite {title}
      </button>{' '}
      <button type="button" onClick={() => void remove()}>
        Delete {title}
      </button>
    </>
  );
}
