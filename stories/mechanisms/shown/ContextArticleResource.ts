import { useContext } from 'react';
import { hookifyResource } from '../../../src/index.js';
import { articleResource } from '../../support/articles.js';
import { TokenContext } from './TokenContext.js';

export const ContextArticleResource = hookifyResource(articleResource(), function useInit() {
  const accessToken = useContext(TokenContext);
  return accessToken ? { headers: { 'Access-Token': accessToken } } : {};
});
