package javax.annotation;

/** The one annotation that the client's code names and the JDK no longer has. */
public @interface Generated {
    String value();

    String comments() default "";

    String date() default "";
}
