import { useSuspense } from '@data-client/react';
import { createContext, useContext } from 'react';
import { hookifyResource, useAuthInit } from '../../../src/index.js';
import { articleResource } from '../../support/articles.js';

const TenantContext = createContext('north');

const Articles = hookifyResource(articleResource(), function useInit() {
  return { ...useAuthInit(), headers: { 'X-Tenant': useContext(TenantContext) } };
});

export function TenantArticles() {
  const articles = useSuspense(Articles.useGetList());
  return (
    <ul>
      {articles.map(article => (
        <li key={article.id}>{article.title}</li>
      ))}
    </ul>
  );
}
