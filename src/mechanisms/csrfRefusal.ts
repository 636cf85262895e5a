/** The number of bytes to read from a body. A CSRF refusal says at its start that it is one. */
const MAX_BYTES = 64 * 1024;

/** Statuses with which frameworks refuse a CSRF token. They also have other meanings. */
const STATUSES = new Set([400, 403, 422]);

/**
 * Matches a refusal's own message. In a function, so that bundlers can remove it from an app without a cookie session.
 */
function messagePattern(): RegExp {
  // A message starts with the body, with an element of a page, or with a JSON string under a key that names an error.
  const start = String.raw`(?:^|>|"(?:code|csrf_?token|details?|errors?|error_description|exception|message|msg|reason|non_field_errors)"\s*:\s*\[?\s*")\s*`;

  // Texts that servers put before the message: `403 Forbidden: `, `ForbiddenError: `, `HTTP Status 403 – `, `#<` of a
  // Ruby exception.
  const prefix = String.raw`(?:(?:http status )?(?:403 ?)?(?:forbidden|forbiddenerror)?\s*[-–:]\s*|#(?:<|&lt;|\\u003c))?`;

  const messages = [
    // Django, Django REST framework, Laravel, CakePHP: “CSRF verification failed”, “CSRF Failed: …”, “CSRF token mismatch”.
    'csrf (?:(?:token )?(?:verification|validation|check) )?(?:failed|failure|mismatch)',
    'csrf tokens? (?:mismatch|missing|invalid|incorrect|expired|not found|from)',
    // Symfony, Flask-WTF: “The CSRF token is invalid”, “The CSRF tokens do not match”.
    '(?:the )?csrf (?:session )?tokens? (?:is|are|has|do|does|could|was) ',
    // Spring, Express, Echo, Phoenix: “Invalid CSRF Token 'x' was found …”, “invalid CSRF (Cross Site Request Forgery) token”.
    String.raw`(?:(?:invalid|missing|incorrect|bad|expired)(?: or )?)+ csrf (?:\([^)]*\) )?(?:token|cookie|secret)`,
    // Rails, Spring: “Can't verify CSRF token authenticity”, “Could not verify the provided CSRF token …”.
    String.raw`(?:can(?:'|&#39;|&#x27;|\\u0027)?t|cannot|could not|unable to) verify (?:the )?(?:provided )?csrf token`,
    // The names of exceptions, in development.
    'actioncontroller::invalidauthenticitytoken',
    String.raw`plug\.csrfprotection\.`,
  ];

  return new RegExp(`${start}${prefix}(?:${messages.join('|')})`, 'i');
}

const MESSAGE = /* @__PURE__ */ messagePattern();

/** A code that is one word: `EBADCSRFTOKEN`, `csrf`, `invalid_csrf_token`. */
const CODE = /"(?:code|details?|errors?|message|reason|type)"\s*:\s*\[?\s*"[\w.:-]{0,60}csrf[\w.:-]{0,60}"/i;

/** Django's page in any language, by the parts of its template that are not translated. No other page of Django has them. */
const DJANGO_PAGE = [
  /<meta name="robots" content="NONE,NOARCHIVE">/,
  /<div id="summary"> <h1>[^<]*<span>\(403\)<\/span><\/h1> <p>/,
  /<div id="(?:explanation|info)">/,
];

/** Rails' response in production to a refused token. It responds in the same way to a record that `save!` refuses. */
const RAILS_PAGE = />\s*The change you wanted was rejected/;
const RAILS_JSON = /^\s*\{\s*"status":\s*"?422"?,\s*"error":\s*"Unprocessable (?:Entity|Content)"\s*\}\s*$/;

/**
 * Returns true if a response is a framework's own refusal of a CSRF token.
 *
 * Status 419 always is. 400, 403 and 422 are if the server's own message begins with a known phrase. Other mentions of
 * CSRF do not count: the user's data, or the token in the layout of an error page.
 */
export async function isCsrfRefusal(response: Response, signal: AbortSignal): Promise<boolean> {
  const { status } = response;
  if (status === 419) return true;
  if (!STATUSES.has(status)) return false;
  // A body that ends early, or was read before, is no CSRF refusal.
  const start = await readStart(response, MAX_BYTES, signal).catch(() => '');
  // The patterns would try each length of a long white space, at each of its places.
  const text = start.replace(/\s+/g, ' ');
  if (MESSAGE.test(text) || CODE.test(text)) return true;
  return status === 422
    ? RAILS_PAGE.test(text) || RAILS_JSON.test(text)
    : status === 403 && DJANGO_PAGE.every(part => part.test(text));
}

/**
 * Returns the first bytes of a response's body as text. Reads a copy, so that the caller can read the response too.
 *
 * @param signal Ends the reading; the promise then resolves with the text so far.
 * @throws TypeError when the body was read before, and the body's own error when it ends early.
 */
async function readStart(response: Response, maxBytes: number, signal: AbortSignal): Promise<string> {
  const reader = response.clone().body?.getReader();
  if (!reader) return '';
  // A copy's `cancel()` settles only when the original is cancelled too: start it and do not wait.
  const cancel = () => void reader.cancel().catch(() => {});
  signal.addEventListener('abort', cancel, { once: true });
  const decoder = new TextDecoder();
  let text = '';
  let left = maxBytes;
  try {
    while (left > 0) {
      const { done, value } = await reader.read();
      if (done) break;
      text += decoder.decode(value.subarray(0, left), { stream: true });
      left -= value.byteLength;
    }
  } finally {
    signal.removeEventListener('abort', cancel);
    cancel();
  }
  return text;
}
