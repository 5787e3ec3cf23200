/** Integration that a test serves through Next in the same process. */
declare var storeportUnderTest: import('@storeport/core').Integration | undefined
