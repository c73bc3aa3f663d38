/** A view imports its stylesheet; the build bundles it with the view. */
declare module '*.css';
