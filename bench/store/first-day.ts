/** The date on which the runs begin. */
export const firstDay = '2026-03-10'

/** The days that a run may take, one for each round: nothing is due on any of them. */
export const mostRounds = 120
