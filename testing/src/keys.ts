/** The keys that every mount of these tests accepts, so that one can be rotated out. */
export const keys = { first: 'behaviour-key-0001', second: 'behaviour-key-0002' } as const
