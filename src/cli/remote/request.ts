// Loaded when a command asks a server: undici takes long to load. In a file of its own, since the names of a package that is
// CommonJS cannot be imported on demand from a bundle.
export { request } from 'undici';
