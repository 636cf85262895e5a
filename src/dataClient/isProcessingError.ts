/** True for an error of the store or of an entity's code while a response was read. data-client adds the key and the schema to its message. */
export function isProcessingError(error: Error): boolean {
  return error.message.startsWith('Error processing ');
}
