export * from './openapi/build-openapi.ts'
export type * from './openapi/build-openapi.ts'
export { describeOperation } from './openapi/operations.ts'
