export { createClient } from './create-client.ts'
export type { CallOptions, Client, ClientInput, ClientOptions, ClientOutput, Fetch } from './client.ts'
