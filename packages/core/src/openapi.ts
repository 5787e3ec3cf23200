export * from './openapi/build-openapi.ts'
export type * from './openapi/build-openapi.ts'
export { type DescribedEndpoint, describeEndpoints } from './openapi/describe-endpoints.ts'
export { causeOf, describeOperation } from './openapi/operations.ts'
