// Long because it is a table: the answers of each framework, word for word.
import { json } from './answers.js';

export const html = (text: string, status: number) =>
  new Response(text, { status, headers: { 'content-type': 'text/html' } });
const plain = (text: string, status: number) =>
  new Response(text, { status, headers: { 'content-type': 'text/plain' } });

/** django/views/csrf.py and its template csrf_403.html. The message is translated, so its language is the user's. */
const djangoPage = (message: string, title = 'Forbidden') => `<!DOCTYPE html>
<html lang="en">
<head>
  <meta http-equiv="content-type" content="text/html; charset=utf-8">
  <meta name="robots" content="NONE,NOARCHIVE">
  <title>403 Forbidden</title>
  <style type="text/css">
    html * { padding:0; margin:0; }
  </style>
</head>
<body>
<div id="summary">
  <h1>${title} <span>(403)</span></h1>
  <p>${message}</p>


</div>

<div id="explanation">
  <p><small>More information is available with DEBUG=True.</small></p>
</div>

</body>
</html>`;

/** django/views/templates/technical_404.html, which a view sends on with status 403. Its `#summary` also names a status. */
const djangoTechnicalPage = `<!DOCTYPE html>
<html lang="en">
<head>
  <meta http-equiv="content-type" content="text/html; charset=utf-8">
  <title>Page not found at /article/1</title>
  <meta name="robots" content="NONE,NOARCHIVE">
</head>
<body>
  <header id="summary">
    <h1>Page not found <small>(404)</small></h1>
  </header>
  <main id="info"><p>CSRF is not the reason.</p></main>
  <footer id="explanation"><p>You’re seeing this error because you have <code>DEBUG = True</code>.</p></footer>
</body>
</html>`;

/** The page that `rails new` puts at public/422.html (railties, generators/rails/app/templates). */
const railsPage = `<!DOCTYPE html>
<html>
<head>
  <title>The change you wanted was rejected (422)</title>
</head>
<body>
  <div class="dialog">
    <h1>The change you wanted was rejected.</h1>
    <p>Maybe you tried to change something you didn't have access to.</p>
  </div>
</body>
</html>`;

/** The answers as the frameworks send them; each comment names the file or report that has the text. */
export const CSRF_REFUSALS: [string, Response][] = [
  // django/views/csrf.py
  ['Django', html(djangoPage('CSRF verification failed. Request aborted.'), 403)],
  // django/conf/locale/de and zh_Hans
  ['Django in German', html(djangoPage('CSRF-Verifizierung fehlgeschlagen. Abfrage abgebrochen.'), 403)],
  ['Django in Chinese', html(djangoPage('CSRF验证失败. 请求被中断.'), 403)],
  // django/conf/locale/ml, where the abbreviation is translated too
  ['Django in Malayalam', html(djangoPage('സി എസ് ആർ എഫ് പരിശോധന പരാജയപ്പെട്ടു. റിക്വെസ്റ്റ് റദ്ദാക്കി.', 'വിലക്കപ്പെട്ടത്'), 403)],
  // rest_framework/authentication.py raises 'CSRF Failed: %s'; the reasons are those of django/middleware/csrf.py.
  ['Django REST framework: missing', json({ detail: 'CSRF Failed: CSRF token missing.' }, 403)],
  ['Django REST framework: older', json({ detail: 'CSRF Failed: CSRF token missing or incorrect.' }, 403)],
  [
    'Django REST framework: incorrect',
    json({ detail: "CSRF Failed: CSRF token from the 'X-Csrftoken' HTTP header incorrect." }, 403),
  ],
  ['Django REST framework: cookie', json({ detail: 'CSRF Failed: CSRF cookie not set.' }, 403)],
  // Illuminate/Foundation/Exceptions/Handler.php makes a TokenMismatchException a 419.
  ['Laravel, JSON', json({ message: 'CSRF token mismatch.' }, 419)],
  [
    'Laravel, page',
    html(
      '<!DOCTYPE html><html lang="en"><head><title>Page Expired</title></head><body><div>419</div><div>Page Expired</div></body></html>',
      419,
    ),
  ],
  // ActionDispatch::PublicExceptions: public/422.html for `Accept: */*`, else the status and its name.
  ['Rails, page', html(railsPage, 422)],
  ['Rails, JSON', json({ status: 422, error: 'Unprocessable Entity' }, 422)],
  ['Rails 8, JSON', json({ status: 422, error: 'Unprocessable Content' }, 422)],
  ['Rails 4, JSON', json({ status: '422', error: 'Unprocessable Entity' }, 422)],
  // ActionDispatch::DebugExceptions, in development; Rails escapes `<` in JSON.
  [
    'Rails in development, JSON',
    plain(
      String.raw`{"status":422,"error":"Unprocessable Entity","exception":"#\u003cActionController::InvalidAuthenticityToken: Can't verify CSRF token authenticity.\u003e","traces":{}}`,
      422,
    ),
  ],
  [
    'Rails in development, page',
    html(
      '<body><header><h1>ActionController::InvalidAuthenticityToken in ArticlesController#update</h1></header></body>',
      422,
    ),
  ],
  [
    'Rails in development, text',
    plain("ActionController::InvalidAuthenticityToken (Can't verify CSRF token authenticity.):\n", 422),
  ],
  ['Rails, message of its own', json({ error: "Can't verify CSRF token authenticity." }, 422)],
  // A rescue_from that renders a code.
  ['a code', json({ error: 'csrf' }, 403)],
  // adessoSE/coderadar issue 83, mswiderski/jbpm-examples issue 11
  [
    'Spring Security: invalid',
    json(
      {
        timestamp: 1476817340243,
        status: 403,
        error: 'Forbidden',
        message: "Invalid CSRF Token 'null' was found on the request parameter '_csrf' or header 'X-XSRF-TOKEN'.",
        path: '/a',
      },
      403,
    ),
  ],
  [
    'Spring Security: no session',
    json(
      {
        status: 403,
        error: 'Forbidden',
        message: 'Could not verify the provided CSRF token because your session was not found.',
        path: '/a',
      },
      403,
    ),
  ],
  // spring-projects/spring-security issue 2671
  [
    "Spring Security, Tomcat's page",
    html(
      "<html><body><h1>HTTP Status 403 - Invalid CSRF Token 'null' was found on the request parameter '_csrf'.</h1></body></html>",
      403,
    ),
  ],
  // csurf and csrf-csrf make the error; express's finalhandler writes its stack outside production.
  [
    'Express',
    html(
      '<!DOCTYPE html><html><body><pre>ForbiddenError: invalid csrf token<br> &nbsp; &nbsp;at csrf (/app/node_modules/csurf/index.js:112:19)</pre></body></html>',
      403,
    ),
  ],
  ['Express, its code', json({ error: { code: 'EBADCSRFTOKEN' } }, 403)],
  ['Express, message', json({ message: 'invalid csrf token' }, 403)],
  // symfony/symfony pull request 57622 and issue 28064
  ['Symfony', json({ status: 403, detail: 'Invalid CSRF token.' }, 403)],
  ['Symfony, form', json({ errors: ['The CSRF token is invalid. Please try to resubmit the form.'] }, 422)],
  // elixir-plug/plug pull request 918
  [
    'Phoenix',
    plain(
      'invalid CSRF (Cross Site Request Forgery) token, please make sure that:\n\n  * The session cookie is being sent and session is loaded',
      403,
    ),
  ],
  ['Phoenix in development', html('<h1 class="title"> Plug.CSRFProtection.InvalidCSRFTokenError </h1>', 403)],
  // flask_wtf/csrf.py raises a 400 with these reasons.
  [
    'Flask-WTF',
    html(
      '<!doctype html>\n<html lang=en>\n<title>400 Bad Request</title>\n<h1>Bad Request</h1>\n<p>The CSRF token is missing.</p>',
      400,
    ),
  ],
  ['Flask-WTF: session', json({ message: 'The CSRF session token is missing.' }, 400)],
  ['Flask-WTF: mismatch', json({ message: 'The CSRF tokens do not match.' }, 400)],
  ['Go, gorilla/csrf', plain('Forbidden - CSRF token invalid\n', 403)],
];

/** Refusals of the same frameworks that a fresh CSRF token does not mend. */
export const OTHER_REFUSALS: [string, Response][] = [
  // rest_framework/exceptions.py
  ['Django REST framework: permission', json({ detail: 'You do not have permission to perform this action.' }, 403)],
  ['Django REST framework: signed out', json({ detail: 'Authentication credentials were not provided.' }, 403)],
  [
    'Django: permission',
    html(
      '<!doctype html>\n<html lang="en">\n<head>\n  <title>403 Forbidden</title>\n</head>\n<body>\n  <h1>403 Forbidden</h1><p></p>\n</body>\n</html>',
      403,
    ),
  ],
  // A 403.html of the app that looks like Django's other error pages, and is no refusal of a token.
  [
    'Django: a 403.html of the app',
    html(
      '<!DOCTYPE html><html><body><div id="summary">\n  <h1>Forbidden <span>(403)</span></h1>\n  <p>Ask ada for access.</p>\n</div></body></html>',
      403,
    ),
  ],
  ['Django: debug page', html(djangoTechnicalPage, 403)],
  // Illuminate/Auth/Access/AuthorizationException.php
  ['Laravel: permission', json({ message: 'This action is unauthorized.' }, 403)],
  [
    'Laravel: validation',
    json({ message: 'The title field is required.', errors: { title: ['The title field is required.'] } }, 422),
  ],
  ['Rails: Pundit', json({ error: 'You are not authorized to perform this action.' }, 403)],
  ['Rails: validation', json({ errors: { title: ["can't be blank"] } }, 422)],
  ['Rails: scaffold validation', json({ title: ["can't be blank"] }, 422)],
  ['Spring: permission', json({ timestamp: '2024-05-05T10:00:00Z', status: 403, error: 'Forbidden', path: '/a' }, 403)],
  [
    'Spring: unprocessable',
    json({ timestamp: '2024-05-05T10:00:00Z', status: 422, error: 'Unprocessable Entity', path: '/a' }, 422),
  ],
  [
    'FastAPI: validation',
    json({ detail: [{ loc: ['body', 'title'], msg: 'field required', type: 'value_error.missing' }] }, 422),
  ],
  ['Rails, page of another status', html(railsPage, 403)],
  // The layout of an error page has the token for its own forms.
  [
    'a page with the token in its layout',
    html(
      '<html><head><meta name="csrf-param" content="authenticity_token"><meta name="csrf-token" content="abc"></head><body><h1>Forbidden</h1><input type="hidden" name="csrfmiddlewaretoken" value="x"></body></html>',
      403,
    ),
  ],
  // The user's own data.
  ['a title', json({ detail: "You may not edit the article 'How CSRF works'" }, 403)],
  ['a title with the very words', json({ detail: 'You may not edit the article "CSRF verification failed"' }, 403)],
  [
    'a record',
    json({ detail: 'Not yours.', article: { title: 'CSRF token missing', slug: 'csrf-token-missing' } }, 403),
  ],
  ['an invalid title', json({ errors: { title: ['“Invalid CSRF token” is taken'] } }, 422)],
  ['text', plain('You may not edit How CSRF works', 403)],
];
