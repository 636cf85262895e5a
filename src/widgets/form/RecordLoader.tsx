import { useController, useSuspense } from '@data-client/react';
import { useMemo, useState, type createRef, type ReactNode } from 'react';
import { isSameRecord, useRecordExpiry, useNewestRecord, useReceivedFields } from '../../dataClient/receivedFields.js';
import { useAnswerMeta, useResponseExpiry } from '../../dataClient/storedResponses.js';
import { useBeforePaint } from '../../providers/useBeforePaint.js';
import type { WidgetLabels } from '../labels/englishLabels.js';
import { DataBoundary } from '../shared/DataBoundary.js';
import { Announcement, Delayed, LoadingText, type Announce } from '../shared/Delayed.js';
import { getFocused, isFocusOnDialogAround } from '../shared/focus.js';
import { pathParams, type LooseEndpoint, type LooseParams } from '../shared/resource.js';
import { StatusRegion, useWidgetStatus } from '../shared/WidgetStatus.js';
import type { FormField } from './FormField.js';

interface RecordLoaderProps {
  /** A hookified resource with `get`. */
  resource: { readonly useGet: () => LooseEndpoint };
  /** An `update` needs the whole record, a `partialUpdate` the fields of the form. */
  action: 'update' | 'partialUpdate';
  params: LooseParams;
  fields: readonly FormField[];
  labels: WidgetLabels;
  className: string;
  /** The element around the loader. It gets the focus when the retry button goes away, and when a dialog around it opens. */
  region: ReturnType<typeof createRef<HTMLDivElement>>;
  /** Called once with the record, before the browser paints. */
  onLoad: (record: object) => void;
}

/**
 * Reads the record that a form edits, from the store or the server, and shows loading and errors. The form replaces it then, and no later
 * read can take the form off the screen.
 */
export function RecordLoader({ resource, params, className, region, ...props }: RecordLoaderProps): ReactNode {
  const endpoint = resource.useGet();
  const ownParams = useMemo(() => pathParams(endpoint, params), [endpoint, params]);
  const { status } = useWidgetStatus(props);
  return (
    <div ref={region} className={className} tabIndex={-1}>
      <StatusRegion status={status} />
      <DataBoundary
        endpoint={endpoint}
        params={ownParams}
        labels={props.labels}
        loading={undefined}
        renderError={undefined}
        region={region}
        announce={status.announceProgress}
      >
        <LoadedRecord {...props} endpoint={endpoint} params={ownParams} announce={status.announceProgress} />
      </DataBoundary>
    </div>
  );
}

interface LoadedRecordProps extends Omit<RecordLoaderProps, 'resource' | 'className' | 'region'> {
  endpoint: LooseEndpoint;
  announce: Announce;
}

function LoadedRecord({ endpoint, action, params, fields, labels, announce, onLoad }: LoadedRecordProps) {
  const controller = useController();
  const record = useSuspense(endpoint, params) as object;
  const hasAnswer = useResponseExpiry(endpoint.key(params)) > 0;
  // `useSuspense` shows an expired record while it fetches it again. A form must not show old values.
  const [mountedAt] = useState(Date.now);
  const isFresh = useRecordExpiry(endpoint, params) >= mountedAt;
  const received = useReceivedFields(record);
  // The row of a list may have only a part of the record. The form would show the rest as empty, and a PUT would empty it on the server.
  const hasFields =
    hasAnswer || (action === 'partialUpdate' && received !== undefined && fields.every(field => isIn(received, field)));
  const isEnough = isFresh && hasFields;
  // The form replaces this component, so the first record is the only one.
  useBeforePaint(() => {
    if (isEnough) onLoad(record);
    // The boundary shows its error.
    else (controller.fetch(endpoint, params) as Promise<unknown>).catch(() => {});
  }, [isEnough]);
  const hasFailed = useAnswerMeta(endpoint.key(params))?.error !== undefined;
  if (isEnough || hasFailed) return null;
  return (
    <Delayed>
      <LoadingText labels={labels} />
      <Announcement text={labels.loading} announce={announce} />
    </Delayed>
  );
}

/** Whether the focus is in the loader, or on the dialog around it: the form takes it over. */
export function isLoaderFocused(region: HTMLElement | null): boolean {
  return !!region?.contains(getFocused(region)) || isFocusOnDialogAround(region);
}

function isIn(record: object, { name }: FormField): boolean {
  return Object.hasOwn(record, name.split('.')[0] ?? name);
}

interface EditedRecord {
  /** As the store has it now: `initial` follows it if it is a record of the store too. */
  readonly record: object | undefined;
  /** Makes what the store has count as old, for the next form. */
  readonly expire: () => void;
  readonly get: LooseEndpoint | undefined;
  /** Fetches it. Undefined without `get`. */
  readonly load: (() => Promise<object>) | undefined;
}

/**
 * The record of an edit.
 *
 * @param loaded What the loader has found, for a form without `initial`.
 */
export function useEditedRecord(
  resource: object | undefined,
  params: LooseParams,
  { initial, loaded }: { initial: object | undefined; loaded: object | undefined },
): EditedRecord {
  const controller = useController();
  const get = (resource as Partial<RecordLoaderProps['resource']> | undefined)?.useGet?.();
  const ownParams = get && pathParams(get, params);
  // A path without its params has no key.
  const isKnown = ownParams && Object.values(ownParams).every(value => value !== undefined);
  const newest = useNewestRecord(get, isKnown ? ownParams : null);
  return {
    get,
    record: loaded ? (newest ?? loaded) : isSameRecord(newest, initial) ? newest : initial,
    expire: () => isKnown && void controller.expireAll({ testKey: key => key === get.key(ownParams) }),
    load: isKnown ? () => controller.fetch(get, ownParams) as Promise<object> : undefined,
  };
}
