/** Waits for something, but no longer than a time in milliseconds; a failure counts as an end. */
export async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([work.catch(() => {}), limit])
  clearTimeout(timer)
}
