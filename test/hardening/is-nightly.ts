/** Whether this is a nightly run (STOREPORT_NIGHTLY=1), in which the tests run many more rounds. */
export const isNightly = process.env['STOREPORT_NIGHTLY'] === '1'
