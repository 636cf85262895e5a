/** The error of a sign-in by a session that gets its credential from a component above it. */
export function noLoginError(): TypeError {
  return new TypeError('This session has no login of its own: sign in with the SDK that gives it its token.');
}
