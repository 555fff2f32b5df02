import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["dist/", "node_modules/"] },
  ...tseslint.configs.strict,
  {
    rules: {
      eqeqeq: ["error", "always", { null: "ignore" }],
      "no-console": "error",
      "max-lines": ["error", { max: 500, skipBlankLines: true, skipComments: true }],
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
      // An index that was just computed is inside its list; the compiler can't know.
      "@typescript-eslint/no-non-null-assertion": "off",
      // The policy refuses these; nobody should write them.
      "no-eval": "error",
      "no-restricted-syntax": [
        "error",
        { selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']", message: "The page writes no HTML." },
        { selector: "MemberExpression[property.name='innerHTML']", message: "The page writes no HTML." },
      ],
    },
  },
);
