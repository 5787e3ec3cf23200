export * from './openapi/build-openapi.ts'
