/** The panels; on a narrow screen one of them is in view at a time. */
export const panelNames = ['inbox', 'email', 'wire'] as const

/** One of the panels. */
export type PanelName = (typeof panelNames)[number]
