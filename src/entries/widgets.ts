// `data-client-auth/widgets`: lists, details and forms. Their styles are `data-client-auth/styles.css`.
export { RowActions, type RowActionsProps } from '../widgets/actions/RowActions.js';
export type { DeleteMode } from '../widgets/actions/useDeleteConfirmation.js';
export { ResourceDetail, type DetailActions, type ResourceDetailProps } from '../widgets/detail/ResourceDetail.js';
export type { FieldOption, FieldSlotProps, FormField, FormValues } from '../widgets/form/FormField.js';
export { LoginForm, type LoginFormProps } from '../widgets/form/LoginForm.js';
export { ResourceForm, type ResourceFormProps } from '../widgets/form/ResourceForm.js';
export { failureKind, type FailureKind } from '../widgets/labels/failureKind.js';
export type { WidgetLabels } from '../widgets/labels/englishLabels.js';
export { WidgetLabelsProvider } from '../widgets/labels/WidgetLabels.js';
export { ResourceList } from '../widgets/list/ResourceList.js';
export type { CreateOption, CreateSlotProps, ResourceListProps } from '../widgets/list/ResourceListProps.js';
export { useDebouncedParams, type DebounceOptions } from '../widgets/list/useDebouncedParams.js';
export {
  nextCursor,
  nextLink,
  nextPageNumber,
  type NextCursorOptions,
  type NextLinkOptions,
  type NextPage,
  type NextPageNumberOptions,
} from '../widgets/nextPage/NextPage.js';
export { withLinkHeader, type LinkedResource } from '../widgets/nextPage/withLinkHeader.js';
export {
  PaginatedList,
  type NumberedPages,
  type PaginatedListProps,
  type Pagination,
} from '../widgets/pagination/PaginatedList.js';
export type { ErrorSlotProps } from '../widgets/shared/ErrorView.js';
export type { ItemActions, ItemOf } from '../widgets/shared/resource.js';
