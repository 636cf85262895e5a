import type { RestGenerics } from '../../../src/index.js';
import { StaticTokenEndpoint } from './StaticTokenEndpoint.js';

export class TracedTokenEndpoint<O extends RestGenerics = any> extends StaticTokenEndpoint<O> {
  override getHeaders(headers: HeadersInit): HeadersInit {
    return { ...super.getHeaders(headers), 'X-Trace': 'notes' };
  }
}
