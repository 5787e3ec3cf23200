/**
 * Replaces zod's `compile` on edge runtimes, which forbid code generation at run time and limit the bundle size.
 * Schemas are used without compilation. `imports` in package.json selects the variant.
 *
 * @template Schema
 * @param {Schema} schema
 * @returns {Schema}
 */
export const compile = (schema) => schema
