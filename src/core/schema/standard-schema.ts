/** The Standard Schema interface, version 1 (https://standardschema.dev), typed here because it is types only. */
export interface StandardSchemaV1<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

/** A schema that says what it is as JSON Schema: Standard JSON Schema, version 1. */
export interface StandardJsonSchemaV1<Input = unknown, Output = Input> {
  readonly '~standard': StandardSchemaV1<Input, Output>['~standard'] & {
    readonly jsonSchema: {
      readonly input: (options: JsonSchemaOptions) => Readonly<Record<string, unknown>>;
      readonly output: (options: JsonSchemaOptions) => Readonly<Record<string, unknown>>;
    };
  };
}

/** Which JSON Schema is wanted. */
export interface JsonSchemaOptions {
  readonly target: 'draft-2020-12' | 'draft-07';
}

/** What validating gives: a value, or the issues. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: ReadonlyArray<StandardIssue> };

/** One thing that is wrong, and where. */
export interface StandardIssue {
  readonly message: string;
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined;
}
