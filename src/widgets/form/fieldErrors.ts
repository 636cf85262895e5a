import { readErrors, type FieldErrors } from './readErrors.js';

export type { FieldErrors };

/**
 * Reads the errors of fields out of the JSON of a refusal (400, 422), in the shapes that are common: `{ errors: { title: ['…'] } }`,
 * `{ title: ['…'], non_field_errors: ['…'] }`, `{ errors: [{ pointer | field | path | source, detail | message | msg }] }`, `{ issues }`
 * and `{ error: { issues } }` in the same form, and `{ detail: [{ loc, msg }] }`. Never throws; what it does not know, it leaves out.
 *
 * @example
 * fieldErrors({ errors: { title: ['is too short'] } }); // { title: ['is too short'] }
 * @see https://laravel.com/docs/validation#validation-error-response-format
 * @see https://api.rubyonrails.org/classes/ActiveModel/Errors.html
 * @see https://www.django-rest-framework.org/api-guide/exceptions/
 * @see https://www.rfc-editor.org/rfc/rfc9457#section-3
 * @see https://jsonapi.org/format/#error-objects
 * @see https://fastapi.tiangolo.com/tutorial/handling-errors/
 * @see https://zod.dev/error-formatting
 */
export function fieldErrors(answer: unknown): FieldErrors {
  return readErrors(answer, () => true);
}
