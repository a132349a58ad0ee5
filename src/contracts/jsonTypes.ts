/** A value that survives `JSON.stringify` and `JSON.parse` unchanged. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** A JSON Schema object (draft-07), as models, plugins and the config speak it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The parameters of a tool call: an object whose shape the tool's schema decides. */
export type Params = Record<string, unknown>;
