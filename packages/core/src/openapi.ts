export * from './openapi/build-openapi.ts'
export type * from './openapi/build-openapi.ts'
export { causeOf, describeOperation } from './openapi/operations.ts'
