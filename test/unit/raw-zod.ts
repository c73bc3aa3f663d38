/** The shapes in which zod says what is wrong, of all its versions: nobody is told that. */
export const RAW_ZOD =
  /Invalid (?:input|option|string|number|literal|enum|discriminator|key in|value in)|expected \S+, received|Too (?:small|big):|Unrecognized key|✖|"code": ?"(?:invalid_|too_|unrecognized_)/i;
