import type { ReactNode } from 'react';
import { paramsKey, useStableParams } from '../shared/params.js';
import { useActionEndpoint, type FormAction, type RequiredFormParams } from './formAction.js';
import { RecordForm } from './RecordForm.js';
import type { LooseFormProps, ResourceFormProps } from './ResourceFormProps.js';

/**
 * A form that creates or changes a record of a hookified resource, or calls another endpoint of it. It sends by `controller.fetch`, so lists
 * and details elsewhere on the page update. A form with a file field sends `multipart/form-data`.
 *
 * An error is announced, at the fields that the server names, and the inputs keep their values. A second submit while one is pending sends
 * nothing. When an expiry removes the form from the screen, its text comes back after the same user has signed in again; passwords do not.
 *
 * @throws TypeError when the resource has no endpoint for the action.
 * @example
 * <ResourceForm
 *   resource={ArticleResource}
 *   action="partialUpdate"
 *   params={{ id: article.id }}
 *   initial={article}
 *   fields={[{ name: 'title', label: 'Title', required: true }]}
 * />
 */
export function ResourceForm<R extends object, A extends FormAction<R>>(
  props: ResourceFormProps<R, A> & RequiredFormParams<R, A>,
): ReactNode {
  const endpoint = useActionEndpoint(props.resource, props.action);
  const params = useStableParams((props.params as object | undefined) ?? {}) ?? {};
  // Another record is another form: text for one record must not be sent to another.
  const formKey = JSON.stringify([props.action, endpoint.name, paramsKey(params)]);
  // TypeScript has checked the props through `R` and `A`.
  return (
    <RecordForm key={formKey} formKey={formKey} {...(props as LooseFormProps)} endpoint={endpoint} params={params} />
  );
}
