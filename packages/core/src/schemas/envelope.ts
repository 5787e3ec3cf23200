import * as z from 'zod/mini'

/** What every answer is wrapped in (JSON-1, ERROR-1), as those who read answers check it; `data` is read by the row of the endpoint. */
export const Envelope = z.discriminatedUnion(
  'success',
  [
    z.object({ success: z.literal(true), data: z.optional(z.unknown()) }),
    z.object({
      success: z.literal(false),
      error: z.object(
        { code: z.string('must be a string'), message: z.string('must be a string') },
        'must be an object',
      ),
    }),
  ],
  'must be true or false',
)
