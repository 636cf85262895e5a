import { useContext, useEffect } from 'react';
import type { AskedQuestion } from '../../permissions/PermissionAnswers.js';
import { usePermissionAnswers } from '../../permissions/usePermissionAnswers.js';
import { ReportFailureContext } from '../../providers/failureReport.js';
import { getErrorStatus } from '../labels/failureKind.js';
import type { LooseEndpoint } from './resource.js';

/** @param asked The permission for the write. */
type SendAndReport = <T>(endpoint: LooseEndpoint, asked: AskedQuestion, start: () => Promise<T>) => Promise<T>;

/**
 * Returns a function that starts a write and reports its failure to the `onError` of the provider. After a 403 it asks again whether
 * the user may do that.
 */
export function useReportedWrites(): SendAndReport {
  const report = useContext(ReportFailureContext);
  const permissions = usePermissionAnswers();
  return async (endpoint, asked, start) => {
    try {
      return await start();
    } catch (error) {
      if (getErrorStatus(error) === 403) permissions?.onForbidden(asked);
      report(error, { operation: 'write', endpoint });
      throw error;
    }
  };
}

/** Reports an error of a read to the `onError` of the provider, when it is shown. */
export function useReportedRead(error: Error | undefined, endpoint: LooseEndpoint): void {
  const report = useContext(ReportFailureContext);
  useEffect(() => {
    if (error) report(error, { operation: 'read', endpoint });
  }, [report, error, endpoint]);
}
