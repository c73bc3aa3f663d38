/** The names that a template is filled in with. */
export interface TemplateNames {
  /** The tool's name, as clients call it. Its files are called the same. */
  readonly name: string;
  /** What it is called in code, such as `bookFlight`. */
  readonly variable: string;
  /** What its view is called in code, such as `BookFlightView`. */
  readonly component: string;
}
