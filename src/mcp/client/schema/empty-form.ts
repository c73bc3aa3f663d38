import type { FormValue } from '../../../core/form/form-schema.ts';
import { foreignSchema } from './foreign-schema.ts';

/** The schema of a form without fields: the person agrees, or does not. */
export const emptyForm = () =>
  foreignSchema<Readonly<Record<string, FormValue>>>({ type: 'object', properties: {} });
