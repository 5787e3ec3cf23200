type Row = readonly [name: string, from: string, to: string]

/** Defects that the explorer must find, by the name of the case in cases.ts that finds them. */
const rows: Readonly<Record<string, readonly Row[]>> = {
  'inexact arrival, plain': [
    ['two changes of a customer run concurrently', "if (isRunning) return end('busy')", ''],
    ['a change with an unknown outcome is ignored', "if (state === 'unknown') return 'undecided'", ''],
    ['an unknown outcome runs again', "? 'again' : 'unknown'", "? 'again' : 'free'"],
  ],
  'one click twice, continues': [
    [
      'a transaction does not find the claim of its guard',
      "if (own?.state === 'running') return",
      'if (now < 0 && own !== undefined) return',
    ],
  ],
  'overtaken, transactional': [
    [
      'a waiting request is judged by the time of its claim',
      'return arrivedAt + accuracyMs <= doneAt',
      'return arrivedAt + accuracyMs + 60_000 <= doneAt',
    ],
    [
      'a change does not end the window of an earlier click',
      'if (isOver && (index < place ||',
      'if (isOver && (index < 0 ||',
    ],
    ['a closed success is dropped immediately', 'closed = add(closed, next)', 'closed = before'],
  ],
  'a window ends, transactional': [
    [
      'a success is replayed after its window',
      "if (!isAwaited(last, arrivedAt) && arrivedAt >= last.windowEnd) return 'free'",
      '',
    ],
    [
      'the first replay does not start the window',
      ": succeed(last, '', true, attempt, now)\n    return write",
      ': last\n    return write',
    ],
  ],
  'four requests, transactional': [
    [
      'an attempt takes its report back after a replay',
      "last.isReported ? { ...last, by: '' } : succeed",
      'last.isReported ? last : succeed',
    ],
  ],
  'overtaken, plain': [['a change that runs beside a repeat is ignored', "if (state === 'running') return 'busy'", '']],
  'retried twice, plain': [
    [
      'a platform that ignores no keys gets a repeat',
      'attempt.canReconcile || now < last.at + attempt.repeatableMs',
      'attempt.canReconcile || now >= last.at',
    ],
    [
      'an unknown outcome is removed',
      "const isOver = outcome !== 'unknown' && !own.isDoubtful",
      'const isOver = !own.isDoubtful',
    ],
    ['a lapsed lease releases the click', "each.state === 'running' && each.until <= now ? doubt(each) : each", 'each'],
  ],
  'inexact arrival, honors': [
    [
      'a later attempt has another platform key',
      'again?.key ?? (attempt.key || attempt.id)',
      'attempt.key || attempt.id',
    ],
  ],
  'inexact arrival, fences': [
    ['a retry runs without reconcile', 'isDoubtful && canReconcile', 'now < 0 && canReconcile'],
    ['a retry has no doubt', "'running', id, again !== undefined, again?.at", "'running', id, false, again?.at"],
  ],
  'add, undo, add, undo, transactional': [
    [
      'a click stays at its old place in the order',
      '[...others, next], now, admit(next, again',
      '[next, ...others], now, admit(next, again',
    ],
  ],
  'three processes, honors': [
    ['a success belongs only to its attempt', "each.by === id || (key !== '' && each.key === key)", 'each.by === id'],
  ],
  'different windows, transactional': [
    [
      'an attempt without a response keeps its report',
      "own.by === id && (outcome === 'unreported' || outcome === 'unknown')",
      'now < 0',
    ],
    [
      'a success whose caller got no response counts as reported',
      "const isReported = outcome === 'succeeded'",
      "const isReported = outcome !== 'rejected' && outcome !== 'unknown' && outcome !== 'released'",
    ],
    [
      'a change ends the window of a success that no caller received',
      "&& next.isReported && next.name === ''",
      "&& next.name === ''",
    ],
  ],
  'retried twice, honors': [
    ['a rejection ends earlier attempts', "outcome !== 'unknown' && !own.isDoubtful", "outcome !== 'unknown'"],
  ],
  'a release overtakes its claim, plain': [
    [
      'a release writes nothing',
      "outcome === 'released' ? write(document, clicks, now, undefined)",
      'now < 0 ? write(document, clicks, now, undefined)',
    ],
    ['an empty document is not stored', 'let until = now + emptyMs', 'let until = now'],
  ],
  'named and unnamed, transactional': [
    ['a change ends the window of a named click', "&& next.isReported && next.name === ''", '&& next.isReported'],
    [
      'two customers share a key',
      "each.name === name && (name !== '' || each.body === body)",
      'each.name === name || each.body === body',
    ],
  ],
  'one key with another body, transactional': [
    ['another body under a key is a repeat', 'const isReused = last.body !== attempt.body', 'const isReused = false'],
  ],
  'error, another change, again, transactional': [
    ['an unreported success is stored only for its window', 'Math.max(windowMs, unreportedMs)', 'windowMs'],
  ],
  'a window of 0, transactional': [
    ['a success of a window of 0 is not stored', 'const until = windowEnd + retainMs', 'const until = windowEnd'],
  ],
  'three concurrently, transactional': [
    [
      'a waiting request does not find a closed success',
      'if (isAwaited(each, arrivedAt) && isSame(each, attempt)) awaited = each',
      '',
    ],
  ],
}

export const defects = Object.entries(rows).flatMap(([foundBy, group]) =>
  group.map(([name, from, to]) => ({ name, from, to, foundBy })),
)
