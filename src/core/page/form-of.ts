import type { FormJsonSchema } from '../form/form-schema.ts';
import type { ElicitAskRequest } from '../tool/ask.ts';

const NO_FIELDS: FormJsonSchema = Object.freeze({ type: 'object', properties: Object.freeze({}) });

/** The form of a question; one without fields for a page, which is only agreed to. */
export function formOf(request: ElicitAskRequest): FormJsonSchema {
  return request.mode === 'url' ? NO_FIELDS : request.requestedSchema;
}
