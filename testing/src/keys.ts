/** API keys that every mount in these tests accepts. Two keys are valid, as during a key rotation. */
export const keys = { first: 'behaviour-key-0001', second: 'behaviour-key-0002' } as const
