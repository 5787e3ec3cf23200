import type { Edit } from './protocol.ts'

/** A one-line defect in the protocol, and the case that finds it. */
export interface Defect extends Edit {
  readonly name: string
  /** Name of the case in cases.ts. */
  readonly foundBy: string
}

/** Defects that the explorer must find. */
export const defects: readonly Defect[] = [
  {
    name: 'two changes of a customer run concurrently',
    from: "if (isRunning) return end('busy')",
    to: '',
    foundBy: 'inexact arrival, plain',
  },
  {
    name: 'a transaction does not find the claim of its guard',
    from: "if (own?.state === 'running') return",
    to: 'if (now < 0 && own !== undefined) return',
    foundBy: 'one click twice, continues',
  },
  {
    name: 'a waiting request is judged by the time of its claim',
    from: 'return arrivedAt + accuracyMs <= doneAt',
    to: 'return arrivedAt + accuracyMs + 60_000 <= doneAt',
    foundBy: 'overtaken, transactional',
  },
  {
    name: 'a success is replayed after its window',
    from: "if (!isAwaited(last, arrivedAt) && arrivedAt >= last.windowEnd) return 'free'",
    to: '',
    foundBy: 'a window ends, transactional',
  },
  {
    name: 'the first replay does not start the window',
    from: ": succeed(last, '', true, attempt, now)\n    return write",
    to: ': last\n    return write',
    foundBy: 'a window ends, transactional',
  },
  {
    name: 'an attempt takes its report back after a replay',
    from: "last.isReported ? { ...last, by: '' } : succeed",
    to: 'last.isReported ? last : succeed',
    foundBy: 'four requests, transactional',
  },
  {
    name: 'a change that runs beside a repeat is ignored',
    from: "if (state === 'running') return 'busy'",
    to: '',
    foundBy: 'overtaken, plain',
  },
  {
    name: 'a change with an unknown outcome is ignored',
    from: "if (state === 'unknown') return 'undecided'",
    to: '',
    foundBy: 'inexact arrival, plain',
  },
  {
    name: 'an unknown outcome runs again',
    from: "? 'again' : 'unknown'",
    to: "? 'again' : 'free'",
    foundBy: 'inexact arrival, plain',
  },
  {
    name: 'a platform that ignores no keys gets a repeat',
    from: 'attempt.canReconcile || now < last.at + attempt.repeatableMs',
    to: 'attempt.canReconcile || now >= last.at',
    foundBy: 'retried twice, plain',
  },
  {
    name: 'a later attempt has another platform key',
    from: 'again?.key ?? (attempt.key || attempt.id)',
    to: 'attempt.key || attempt.id',
    foundBy: 'inexact arrival, honors',
  },
  {
    name: 'a retry runs without reconcile',
    from: 'isDoubtful && canReconcile',
    to: 'now < 0 && canReconcile',
    foundBy: 'inexact arrival, fences',
  },
  {
    name: 'a retry has no doubt',
    from: "'running', id, again !== undefined, again?.at",
    to: "'running', id, false, again?.at",
    foundBy: 'inexact arrival, fences',
  },
  {
    name: 'a click stays at its old place in the order',
    from: '[...others, next], now, admit(next, again',
    to: '[next, ...others], now, admit(next, again',
    foundBy: 'add, undo, add, undo, transactional',
  },
  {
    name: 'a success belongs only to its attempt',
    from: "each.by === id || (key !== '' && each.key === key)",
    to: 'each.by === id',
    foundBy: 'three processes, honors',
  },
  {
    name: 'an attempt without a response keeps its report',
    from: "own.by === id && (outcome === 'unreported' || outcome === 'unknown')",
    to: 'now < 0',
    foundBy: 'different windows, transactional',
  },
  {
    name: 'a success whose caller got no response counts as reported',
    from: "const isReported = outcome === 'succeeded'",
    to: "const isReported = outcome !== 'rejected' && outcome !== 'unknown' && outcome !== 'released'",
    foundBy: 'different windows, transactional',
  },
  {
    name: 'an unknown outcome is removed',
    from: "const isOver = outcome !== 'unknown' && !own.isDoubtful",
    to: 'const isOver = !own.isDoubtful',
    foundBy: 'retried twice, plain',
  },
  {
    name: 'a rejection ends earlier attempts',
    from: "outcome !== 'unknown' && !own.isDoubtful",
    to: "outcome !== 'unknown'",
    foundBy: 'retried twice, honors',
  },
  {
    name: 'a release writes nothing',
    from: "outcome === 'released' ? write(document, clicks, now, undefined)",
    to: 'now < 0 ? write(document, clicks, now, undefined)',
    foundBy: 'a release overtakes its claim, plain',
  },
  {
    name: 'a change does not end the window of an earlier click',
    from: 'if (isOver && (index < place ||',
    to: 'if (isOver && (index < 0 ||',
    foundBy: 'overtaken, transactional',
  },
  {
    name: 'a change ends the window of a success that no caller received',
    from: "&& next.isReported && next.name === ''",
    to: "&& next.name === ''",
    foundBy: 'different windows, transactional',
  },
  {
    name: 'a change ends the window of a named click',
    from: "&& next.isReported && next.name === ''",
    to: '&& next.isReported',
    foundBy: 'named and unnamed, transactional',
  },
  {
    name: 'a closed success is dropped immediately',
    from: 'closed = add(closed, next)',
    to: 'closed = before',
    foundBy: 'overtaken, transactional',
  },
  {
    name: 'a lapsed lease releases the click',
    from: "each.state === 'running' && each.until <= now ? doubt(each) : each",
    to: 'each',
    foundBy: 'retried twice, plain',
  },
  {
    name: 'another body under a key is a repeat',
    from: 'const isReused = last.body !== attempt.body',
    to: 'const isReused = false',
    foundBy: 'one key with another body, transactional',
  },
  {
    name: 'an unreported success is stored only for its window',
    from: 'Math.max(windowMs, unreportedMs)',
    to: 'windowMs',
    foundBy: 'error, another change, again, transactional',
  },
  {
    name: 'a success of a window of 0 is not stored',
    from: 'const until = windowEnd + retainMs',
    to: 'const until = windowEnd',
    foundBy: 'a window of 0, transactional',
  },
  {
    name: 'an empty document is not stored',
    from: 'let until = now + emptyMs',
    to: 'let until = now',
    foundBy: 'a release overtakes its claim, plain',
  },
  {
    name: 'two customers share a key',
    from: "each.name === name && (name !== '' || each.body === body)",
    to: 'each.name === name || each.body === body',
    foundBy: 'named and unnamed, transactional',
  },
  {
    name: 'a waiting request does not find a closed success',
    from: 'if (isAwaited(each, arrivedAt) && isSame(each, attempt)) awaited = each',
    to: '',
    foundBy: 'three concurrently, transactional',
  },
]
