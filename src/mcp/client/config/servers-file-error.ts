/** A file of servers that cannot be used. The message says which server, what is wrong with it, and what to do. */
export class ServersFileError extends Error {}
