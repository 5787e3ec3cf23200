/** The date on which the runs begin. */
export const firstDay = '2026-03-10'
