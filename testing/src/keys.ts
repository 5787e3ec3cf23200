/** API keys that every mount in these tests accepts. As during a key rotation, two keys are valid. */
export const keys = { first: 'behaviour-key-0001', second: 'behaviour-key-0002' } as const
