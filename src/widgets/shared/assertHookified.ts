/**
 * Throws for a resource without this hook. In development only: in production the call of the missing hook throws.
 *
 * @throws TypeError that names the remedy.
 */
export function assertHookified(resource: object, hook: 'useGet' | 'useGetList'): void {
  if (hook in resource) return;
  const endpoint = hook === 'useGet' ? 'get' : 'getList';
  throw new TypeError(
    endpoint in resource
      ? `The resource of this widget has \`${endpoint}\`, but no hook ${hook}(). Pass hookifyResource(resource).`
      : `The resource of this widget has no hook ${hook}(). Pass hookifyResource(resource), where the resource has \`${endpoint}\`.`,
  );
}
