import { mswLoader } from 'msw-storybook-addon/csf3';
import { auth } from './auth';
import { handlers } from '../src/mocks';

export default {
  loaders: [mswLoader()],
  parameters: { msw: handlers, auth },
};
