/** A value that JSON can carry. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }

/** A JSON object of any form. */
export type JsonObject = { readonly [name: string]: Json }
