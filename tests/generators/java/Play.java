import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.GamesApi;
import org.openapitools.client.model.*;

/** Plays two games through the client that openapi-generator makes. */
public final class Play {
    private static final List<String> FLEET =
        Arrays.asList("D4 B4 C4 E4 B2 C2 D2 E2 F2 B6 C6 D6 F6 F7 F8 B8 C8".split(" "));

    private final UUID id;
    private final GamesApi host;
    private final GamesApi guest;

    private Play(String base) throws ApiException {
        OptionsRequest options = new OptionsRequest().first(FirstShot.HOST).shootAgain(true);
        Seating created = seat(base, null).createGame(new CreateRequest().name("Anna").options(options), null);
        id = created.getGame().getId();
        Seating joined = seat(base, null).joinGame(id, null, null, new JoinRequest().name("Boris"));
        host = seat(base, created.getToken());
        guest = seat(base, joined.getToken());
        for (GamesApi seat : List.of(host, guest)) {
            seat.placeFleet(id, layout(), null, null);
        }
    }

    private static GamesApi seat(String base, String token) {
        ApiClient client = new ApiClient();
        client.updateBaseUri(base);
        if (token != null) {
            client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + token));
        }
        return new GamesApi(client);
    }

    private static PlaceRequest layout() {
        return new PlaceRequest()
            .addShipsItem(new ShipRequest().start("B2").length(5))
            .addShipsItem(new ShipRequest().start("B4").length(4))
            .addShipsItem(new ShipRequest().start("B6").length(3))
            .addShipsItem(new ShipRequest().start("F6").length(3).direction(Direction.DOWN))
            .addShipsItem(new ShipRequest().start("B8").length(2))
            .addMinesItem("J10");
    }

    private MoveReply fire(GamesApi seat, String cell) throws ApiException {
        return seat.fireShots(id, new FireRequest().addShotsItem(cell), null, null);
    }

    private static String what(GameEvent event) {
        Object kind = event.getActualInstance();
        if (kind instanceof FiredEvent fired) {
            return fired.getShots().stream().map(shot -> shot.getOutcome().getValue()).collect(Collectors.joining("+"));
        }
        if (kind instanceof RevealedEvent revealed) {
            return String.join("+", revealed.getCells());
        }
        return kind instanceof ResignedEvent resigned ? resigned.getType().getValue() : kind.getClass().getSimpleName();
    }

    private static String what(MoveReply reply) {
        return reply.getEvents().stream().map(Play::what).collect(Collectors.joining(" "));
    }

    public static void main(String[] words) throws ApiException {
        String base = words.length > 0 ? words[0] : "http://localhost:8080";
        Play game = new Play(base);
        MoveReply struck = game.fire(game.host, "J10");
        System.out.println("struck " + what(struck) + " owes " + struck.getAwaiting().get(0).getCount());
        RevealRequest given = new RevealRequest().addCellsItem("D4");
        System.out.println("gave " + what(game.host.revealCells(game.id, given, null, null)));
        for (String cell : FLEET) {
            game.fire(game.guest, cell);
        }
        List<GameEvent> log = game.guest.listEvents(game.id, null, null, null, null, null).getEvents();
        GameResult result = ((FiredEvent) log.get(log.size() - 1).getActualInstance()).getResult();
        System.out.println(log.size() + " events, " + result.getWinner() + " won by " + result.getReason());
        Verification verified = game.guest.verifyGame(game.id);
        System.out.println("verified " + (verified.getOk() && verified.getComplete()));

        Play other = new Play(base);
        MoveReply resigned = other.guest.resignGame(other.id, null, null, new java.util.HashMap<String, Object>());
        Seat winner = ((ResignedEvent) resigned.getEvents().get(0).getActualInstance()).getResult().getWinner();
        System.out.println(what(resigned) + " so " + winner + " won");
        try {
            other.fire(other.host, "A1");
            System.out.println("not refused");
        } catch (ApiException refused) {
            boolean over = refused.getCode() == 409 && refused.getResponseBody().contains("\"code\":\"game_over\"");
            System.out.println(over ? "refused game_over" : "refused " + refused.getMessage());
        }
    }
}
