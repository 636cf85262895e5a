// Runs in the page: what a user sees and does there, in one step, so that no other user comes between the look and the press.

export interface PageState {
  /** False for a page of the browser, and `about:blank`. */
  isApp: boolean;
  /** Whose page it is: `ada`, `grace` or `nobody`. */
  shown: string;
  isLocked: boolean;
  /** How often another user than the one before has come. */
  changes: number;
  path: string;
  /** The texts in the form of an issue. */
  inputs: string[];
  busy: string[];
  /** What a page showed that it must not show. */
  problems: string[];
  /** The texts that each user has seen. */
  seen: { who: string; title: string }[];
}

export interface Act {
  kind: 'click' | 'type' | 'signIn' | 'filter' | 'answer';
  /** The elements to choose from, and the text or label of the one. */
  selector?: string;
  text?: string;
  index?: number;
  values?: Record<string, string>;
}

export interface Done {
  shown: string;
  isLocked: boolean;
  changes: number;
  /** The label of the element, or the text that was typed. */
  what: string;
  href: string;
}

interface Watch {
  state: () => PageState;
  act: (act: Act) => Done | undefined;
}

declare global {
  interface Window {
    watch?: Watch;
  }
}

export function watchPage() {
  const problems = new Set<string>();
  const seen = new Map<string, { who: string; title: string }>();
  let changes = 0;
  let lastShown = 'nobody';
  const NAMES: Record<string, string> = { 'Ada Lovelace': 'ada', 'Grace Hopper': 'grace' };

  const readShown = () => {
    return NAMES[document.querySelector('header .person')?.lastChild?.textContent ?? ''] ?? 'nobody';
  };
  const isLocked = () => document.querySelector('dialog.dca-locked') !== null;

  const look = () => {
    const text = document.body?.innerText === undefined ? '' : (document.body.textContent ?? '');
    const shown = readShown();
    if (shown !== 'nobody') {
      if (shown !== lastShown) changes += 1;
      lastShown = shown;
    }
    for (const owner of ['ada', 'grace'])
      if (text.includes(`only-${owner}`) && shown !== owner)
        problems.add(`only-${owner} is shown to ${shown} at ${location.pathname}`);
    for (const [title] of text.matchAll(/T\d+x by-(ada|grace)/g)) seen.set(`${shown} ${title}`, { who: shown, title });
    if (text.includes('Unexpected Application Error'))
      problems.add(`An error replaced the page at ${location.pathname}: ${text.slice(0, 300)}`);
  };
  new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true });
  addEventListener('pageshow', () => {
    look();
    requestAnimationFrame(look);
  });

  const isPressable = (element: Element) =>
    element.checkVisibility({ visibilityProperty: true }) &&
    !element.closest('[inert]') &&
    // Below a modal dialog, everything is inert.
    (element.closest('dialog:modal') === document.querySelector('dialog:modal') ||
      Boolean(element.closest('dialog:modal')));

  const find = (selector: string, text?: string) =>
    [...document.querySelectorAll<HTMLElement>(selector)].filter(
      element =>
        isPressable(element) &&
        (text === undefined || (element.getAttribute('aria-label') ?? element.textContent ?? '').startsWith(text)),
    );

  const set = (input: Element | null | undefined, value: string) => {
    if (!input) return;
    const proto = Object.getPrototypeOf(input) as object;
    if (input instanceof HTMLInputElement && input.type === 'checkbox') {
      if (input.checked !== (value === 'true')) input.click();
      return;
    }
    Object.getOwnPropertyDescriptor(proto, 'value')!.set!.call(input, value);
    input.dispatchEvent(new Event(input instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }));
  };

  const act = ({ kind, selector = '', text, index = 0, values = {} }: Act): Done | undefined => {
    const shown = readShown();
    const done = (what: string, href = ''): Done => ({ shown, isLocked: isLocked(), changes, what, href });
    if (kind === 'click') {
      const found = find(selector, text);
      const element = found[index % found.length];
      if (!element) return undefined;
      const what = element.getAttribute('aria-label') ?? element.textContent ?? '';
      const href =
        element.getAttribute('href') ??
        element.closest('li')?.querySelector('a')?.getAttribute('href') ??
        location.pathname;
      const result = done(what, href);
      element.click();
      return result;
    }
    if (kind === 'signIn') {
      const form = find('form.dca-login')[0] as HTMLFormElement | undefined;
      if (!form) return undefined;
      for (const [name, value] of Object.entries(values)) set(form.elements.namedItem(name) as Element, value);
      const result = done(values.username!);
      setTimeout(() => form.isConnected && form.querySelector<HTMLElement>('button[type=submit]')?.click(), 0);
      return result;
    }
    if (kind === 'answer') {
      const form = find('dialog.dca-challenge form')[0];
      if (!form || !values[shown]) return undefined;
      set(form.querySelector('input[type=password]'), values[shown]);
      const result = done('');
      setTimeout(() => form.isConnected && form.querySelector<HTMLElement>('button[type=submit]')?.click(), 0);
      return result;
    }
    if (kind === 'type') {
      const form = find('main form.dca-form')[0] as HTMLFormElement | undefined;
      const title = form?.elements.namedItem('title') as HTMLInputElement | undefined;
      if (!form || !title || title.disabled || shown === 'nobody') return undefined;
      const secret =
        location.pathname === '/issues/new' ? values.confidential === 'true' : title.value.includes(`only-${shown}`);
      const typed = `${text}x by-${shown}${secret ? ` only-${shown}` : ''}`;
      set(title, typed);
      if (location.pathname === '/issues/new') {
        set(form.elements.namedItem('label') as Element, 'bug');
        set(form.elements.namedItem('confidential') as Element, String(secret));
      }
      return done(typed);
    }
    const form = find('form.filter')[0] as HTMLFormElement | undefined;
    if (!form) return undefined;
    for (const [name, value] of Object.entries(values)) set(form.elements.namedItem(name) as Element, value);
    return done(JSON.stringify(values));
  };

  const state = (): PageState => {
    look();
    const all = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)];
    const forms = all('main form.dca-form');
    return {
      isApp: document.querySelector('#root') !== null,
      shown: readShown(),
      isLocked: isLocked(),
      changes,
      path: location.pathname + location.search,
      inputs: forms.flatMap(form => [...form.querySelectorAll('input')].map(({ value }) => value)),
      busy: all('[aria-busy=true], .dca-loading, .dca-updating, .dca-button[aria-disabled=true]')
        .filter(({ textContent }) => textContent !== 'Previous' && textContent !== 'Next')
        .map(({ className, textContent }) => `${className}: ${textContent?.slice(0, 60)}`)
        .concat(all('#root').some(({ textContent }) => textContent === 'Loading…') ? ['the first page'] : []),
      problems: [...problems],
      seen: [...seen.values()],
    };
  };

  window.watch = { state, act };
}
