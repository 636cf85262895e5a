import type { ReactNode } from 'react';
import { getErrorStatus } from '../labels/failureKind.js';
import type { WidgetLabels } from '../labels/WidgetLabels.js';
import { ErrorView, type ErrorSlotProps } from '../shared/ErrorView.js';
import type { HookifiedDetail } from '../shared/resource.js';
import type { ResourceDetailProps } from './ResourceDetailProps.js';

/** Why the record is not there: the slots of the app first, then a text of the widget's own. */
export function renderDetailFailure(
  failure: ErrorSlotProps,
  { notFound, renderError }: Pick<ResourceDetailProps<HookifiedDetail>, 'notFound' | 'renderError'>,
  labels: WidgetLabels,
): ReactNode {
  const isNotFound = getErrorStatus(failure.error) === 404;
  if (isNotFound && notFound !== undefined) return notFound;
  if (renderError) return renderError(failure);
  return <ErrorView {...failure} labels={isNotFound ? { ...labels, failure: () => labels.notFound } : labels} />;
}
