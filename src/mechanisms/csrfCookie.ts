import { isDevelopment } from '../isDevelopment.js';
import { warnOfMissingCookie } from './csrfToken.js';
import { warnOnce } from '../warnOnce.js';

/**
 * Reads the cookie with the CSRF token. Where two cookies have its name (of the host and of a parent domain), a page cannot tell which
 * one the server reads: after a refusal it is the other one.
 */
export function createCsrfCookie(name: string) {
  let refused: string | undefined;

  function values(): readonly string[] {
    if (typeof document === 'undefined') return [];
    const pairs = readCookies()
      .split('; ')
      .filter(text => text.startsWith(`${name}=`));
    return pairs.map(pair => decoded(pair.slice(name.length + 1)));
  }

  return {
    read(): string | undefined {
      const all = values();
      return all.find(value => value !== refused) ?? all[0];
    },
    /** The server has refused this token. */
    refuse(token: string | undefined): void {
      refused = token;
      if (isDevelopment) warnOfMissingCookie(name);
      if (isDevelopment && new Set(values()).size > 1)
        warnOnce(
          `the browser has two cookies with the name \`${name}\`, as after a change of the cookie's Domain. Delete one of them: the server refuses the CSRF token of the other.`,
        );
    },
  };
}

/** @throws TypeError */
function readCookies(): string {
  try {
    return document.cookie;
  } catch (error) {
    throw new TypeError(
      'This page may not read its cookies, as in a sandboxed frame. Give the frame `sandbox="allow-same-origin"`, or read the CSRF token elsewhere with `csrf.read`.',
      { cause: error },
    );
  }
}

function decoded(raw: string): string {
  try {
    return decodeURIComponent(raw);
  } catch {
    return raw;
  }
}
